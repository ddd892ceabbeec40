package dev.millrace.cql.functions;

/**
 * A value of type xmltype where a value of any type may stand. Immutable.
 *
 * @param text XML
 */
record XmlValue(String text)
{
}
