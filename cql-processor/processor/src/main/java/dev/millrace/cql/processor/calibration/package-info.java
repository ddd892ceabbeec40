/**
 * Measures once a parameter of generated classes that depends on the machine: the number of rows below which a batch is
 * processed row by row. Called by the provider of processors, on a low-priority thread after the server has started;
 * depends on planner, compiler and runtime, not on the network.
 */
package dev.millrace.cql.processor.calibration;
