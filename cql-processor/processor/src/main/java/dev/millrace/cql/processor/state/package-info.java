/**
 * State of partitions: which state can be split, discarded or transferred to another member.
 */
package dev.millrace.cql.processor.state;
