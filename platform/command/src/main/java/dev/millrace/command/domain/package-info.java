/**
 * The commands {@code domain ...}.
 */
package dev.millrace.command.domain;
