/** Parsing of numbers and validation of strings in received bytes, without objects. */
package dev.millrace.adapter.loadgen.text;
