/**
 * Fault injection for scaling studies.
 */
package dev.millrace.command.scaling.fault;
