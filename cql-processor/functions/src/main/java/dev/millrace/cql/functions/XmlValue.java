package dev.millrace.cql.functions;

/**
 * A value of type xmltype for a parameter that accepts any type. Immutable.
 *
 * @param text XML
 */
record XmlValue(String text)
{
}
