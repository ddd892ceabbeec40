/**
 * Adapters for messages of a JMS provider: a source ({@code inbound}) and a sink ({@code outbound}).
 *
 * <p>Callers: applications, by the providers that {@code Activator} registers; they implement the interfaces of the
 * package {@code api} to convert messages themselves.
 */
package dev.millrace.adapter.jms;
