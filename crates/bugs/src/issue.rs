//! Issue texts for the trackers of solvers.
