"""The measurements of tools/results: `work` runs and keeps them, `pages` writes them, the other modules have one function a section."""
