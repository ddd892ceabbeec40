/** The fuzz target of a check that is visible in its own package only. Not thread-safe. */
package dev.millrace.server.deployment;
