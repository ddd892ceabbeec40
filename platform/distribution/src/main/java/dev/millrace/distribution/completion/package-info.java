/**
 * Runs only during the build: generates the scripts that complete the words of the {@code millrace} command in shells.
 * The home directory contains the scripts, not these classes.
 */
package dev.millrace.distribution.completion;
