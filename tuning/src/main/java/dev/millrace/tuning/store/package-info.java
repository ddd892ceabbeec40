/**
 * Throughput of databases.
 */
package dev.millrace.tuning.store;
