/**
 * Adapters for HTTP: a source of events that clients post ({@code inbound}), on servers that all applications share
 * ({@code server}), with authentication of clients ({@code security}), and a sink that sends events to a URL
 * ({@code outbound}).
 *
 * <p>Callers: applications, by the providers that {@code Activator} registers.
 */
package dev.millrace.adapter.http;
