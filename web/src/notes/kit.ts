/** All that shows one's notes at the table, in a part of the client that comes when a game is on. */
import { words as claims } from '../claims/words';
import { speech } from '../words/words.svelte';
import NotesButton from './NotesButton.svelte';
import NotesDialog from './NotesDialog.svelte';
import NotesPanel from './NotesPanel.svelte';
import { type Desk, Notes } from './notes.svelte';
import SeatNote from './SeatNote.svelte';
import Truth from './Truth.svelte';
import { words } from './words';

export interface Kit {
  Button: typeof NotesButton;
  Dialog: typeof NotesDialog;
  Panel: typeof NotesPanel;
  AtSeat: typeof SeatNote;
  Truth: typeof Truth;
}

/** One's notes on the games of a room, with what shows them; the words of claims come along. */
export async function notesOf(desk: Desk): Promise<Notes> {
  await Promise.all([words.follow(speech.language), claims.follow(speech.language)]);
  return new Notes(desk, {
    Button: NotesButton,
    Dialog: NotesDialog,
    Panel: NotesPanel,
    AtSeat: SeatNote,
    Truth,
  });
}
