/**
 * Classes that every command uses: exceptions, exit codes, progress and output files.
 */
package dev.millrace.command.cli;
