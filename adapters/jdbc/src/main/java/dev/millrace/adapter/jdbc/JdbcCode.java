package dev.millrace.adapter.jdbc;

/** Codes of the messages of this adapter. README.md of the module says what to do about each. */
enum JdbcCode
{
    /** An instance property is missing or out of range. */
    PROPERTY("JDB-0101"),
    /** The server has no such data source. */
    DATA_SOURCE("JDB-0102"),
    /** The database gives no connection. */
    AWAY("JDB-0103"),
    /** The database refuses user or password. */
    LOGIN("JDB-0104"),
    /** The table is not there. */
    TABLE("JDB-0105"),
    /** The table lacks a column, or the event type a property. */
    COLUMN("JDB-0106"),
    /** A column cannot hold the values of its property. */
    TYPE("JDB-0107"),
    /** The database has no statement for the mode that this adapter knows. */
    DIALECT("JDB-0108"),
    /** A row was not written. */
    ROW("JDB-0109"),
    /** Rows are still waiting at the end. */
    REST("JDB-0110"),
    /** Memory, or memory and files, are full. */
    FULL("JDB-0111"),
    /** A spill file cannot be used. */
    SPILL("JDB-0112"),
    /** Events do not have the columns that the sink writes. */
    EVENTS("JDB-0113"),
    /** The database refuses statements, whatever the row. */
    STATEMENT("JDB-0114");

    private final String text;

    JdbcCode(final String text)
    {
        this.text = text;
    }

    /** The code as users see it. */
    String text()
    {
        return text;
    }

    /** A message: code, fact, next step. */
    String message(final String fact, final String next)
    {
        return text + ' ' + fact + "; " + next;
    }
}
