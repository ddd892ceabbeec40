package dev.millrace.cql.compiler.unit.code;

/** How rows leave what an operator reads. */
public enum Leaving
{
    /** Not at all. */
    NEVER,
    /** By what has been remembered of them. */
    REMEMBERED,
    /** By their value. */
    BY_VALUE
}
