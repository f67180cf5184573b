"""Who plays better? Policies at the same deals, all of a faction or one among strangers, with honest intervals."""
