/**
 * The workload of the DEBS 2013 Grand Challenge.
 */
package dev.millrace.tuning.soccer;
