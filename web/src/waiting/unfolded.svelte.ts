/** Whether the single settings lie open: as one left them, until the page is loaded anew. */
class Unfolded {
  is = $state(false);
}

export const unfolded = new Unfolded();
