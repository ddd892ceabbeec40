/**
 * Parts of the context of an application: its files are read, its code runs with its class loader, its services are
 * exported, and closed sources are created again.
 *
 * <p>Callers: the running context, on the application's thread.
 */
package dev.millrace.server.extender.context;
