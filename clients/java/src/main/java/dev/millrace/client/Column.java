package dev.millrace.client;

/**
 * A column of the rows that are sent. Immutable.
 *
 * @param name of the property that it fills
 * @param type of its values
 */
record Column(String name, ColumnType type)
{
}
