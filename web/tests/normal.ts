import type { RoomSettingsView } from '../src/protocol/protocol.gen';

/** A room for eight as it is opened. */
export const NORMAL: RoomSettingsView = {
  rules: {
    seats: 8,
    first_holder: 'random',
    sage_slain_ends: true,
    activation_target: 2,
    kill_target: 3,
    act_last_lasts: 'round',
    memory_aid: false,
  },
  preset: 'normal',
  timers: { reveal: 30, vote: 45, passing: 45, scroll: 45, play: 30, away: 30 },
  ai_level: 'plain',
  spectators: true,
  spectator_delay: 0,
  public: false,
  chat_guard: 'block',
  ai_talk: true,
};
