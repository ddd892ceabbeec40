/**
 * Commands that read the journals of durable processors in a domain, which may be in use: list, show, verify, export.
 * Only trim writes into a domain: it deletes old files of journals that are not in use.
 */
package dev.millrace.command.journal;
