/**
 * Results of a scaling study as JSON, HTML and charts.
 */
package dev.millrace.command.scaling.report;
