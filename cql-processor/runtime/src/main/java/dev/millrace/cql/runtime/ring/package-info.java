/**
 * The single-producer single-consumer ring between threads.
 */
package dev.millrace.cql.runtime.ring;
