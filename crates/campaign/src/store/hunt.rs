//! The state of a hunt in a store: one JSON text, replaced after each round.

use super::{Store, StoreError};

impl Store {
    /// The state of the hunt; none if the campaign is not one.
    pub fn hunt_state(&self) -> Result<Option<String>, StoreError> {
        self.scalar("SELECT state FROM hunt", &[])
    }

    /// Records the state of the hunt.
    pub fn set_hunt_state(&self, state: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO hunt (one, state) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET state = excluded.state";
        self.execute(sql, &[state.into()])
    }
}
