/**
 * Commands that read the journals of durable processors in a domain, which may be in use: list, show, verify, export.
 * Nothing here writes into a domain.
 */
package dev.millrace.command.journal;
