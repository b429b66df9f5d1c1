//! Triage: the failures of a campaign in groups by cause, each with one reduced representative.
