package dev.millrace.cql.compiler.unit.code;

/** How rows leave the input of an operator. */
public enum RowExpiry
{
    /** Never. */
    NEVER,
    /** By the values stored when they entered. */
    REMEMBERED,
    /** By their value. */
    BY_VALUE
}
