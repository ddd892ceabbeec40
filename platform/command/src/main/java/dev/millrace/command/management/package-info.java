/**
 * The HTTP client of the management endpoint.
 */
package dev.millrace.command.management;
