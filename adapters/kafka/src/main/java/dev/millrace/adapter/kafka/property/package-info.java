/**
 * Validation of instance properties, the configuration of Kafka clients, and the error codes of this module.
 *
 * <p>Callers: the stages of this module, on the deploying thread.
 */
package dev.millrace.adapter.kafka.property;
