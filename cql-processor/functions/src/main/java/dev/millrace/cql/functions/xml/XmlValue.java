package dev.millrace.cql.functions.xml;

/**
 * A value of type xmltype for a parameter that accepts any type. Immutable.
 *
 * @param text XML
 */
record XmlValue(String text)
{
}
