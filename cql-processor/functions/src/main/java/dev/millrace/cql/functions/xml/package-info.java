/**
 * Functions on XML, XQuery and its sandbox.
 */
package dev.millrace.cql.functions.xml;
