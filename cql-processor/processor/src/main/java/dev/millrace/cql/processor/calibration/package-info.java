/**
 * Measures once what depends on the machine and steers generated classes: below how many rows a batch goes through a
 * pipeline row by row. Called by the provider of processors, on a thread of low priority after the server has started;
 * knows planner, compiler and runtime, and nobody of the network.
 */
package dev.millrace.cql.processor.calibration;
