"""What is said at the table (R9): harmless text, quick phrases, and the guard of scrolls that have not fired."""
