/**
 * Instances of a scaling study and their measurements.
 */
package dev.millrace.command.scaling.fleet;
