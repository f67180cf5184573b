/** The vote for the first holder, once it is open (R5.1): how many each got, and among whom chance had to decide. */

/** Votes by turn, for whoever got any. */
export function votesFor(ballots: (number | null)[]): Map<number, number> {
  const votes = new Map<number, number>();
  for (const turn of ballots) if (turn !== null) votes.set(turn, (votes.get(turn) ?? 0) + 1);
  return votes;
}

/** Those with the most votes; all, where nobody voted. */
export function drawnAmong(ballots: (number | null)[]): number[] {
  const votes = votesFor(ballots);
  const most = Math.max(0, ...votes.values());
  return ballots.map((_, index) => index + 1).filter((turn) => (votes.get(turn) ?? 0) === most);
}
