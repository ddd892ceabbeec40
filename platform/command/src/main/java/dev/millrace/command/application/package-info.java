/**
 * The commands {@code app} and {@code rules}.
 */
package dev.millrace.command.application;
