package dev.millrace.adapter.jdbc.buffer;

/** Error codes of this adapter. The module's README.md describes what to do about each. */
public enum JdbcErrorCode
{
    /** An instance property is missing or out of range. */
    PROPERTY("JDB-0101"),
    /** The server has no such data source. */
    DATA_SOURCE("JDB-0102"),
    /** The database does not accept connections. */
    AWAY("JDB-0103"),
    /** The database rejects user or password. */
    LOGIN("JDB-0104"),
    /** The table does not exist. */
    TABLE("JDB-0105"),
    /** The table lacks a column, or the event type a property. */
    COLUMN("JDB-0106"),
    /** A column cannot store the values of its property. */
    TYPE("JDB-0107"),
    /** The adapter has no statement for this mode and this database. */
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
    /** The database rejects statements independently of the row. */
    STATEMENT("JDB-0114"),
    /** The table with the numbers of stored rows cannot be read. */
    POSITIONS("JDB-0115"),
    /** A row of the database is not an event. */
    SOURCE_ROW("JDB-0116"),
    /** The position or tie column cannot order the rows. */
    ORDER("JDB-0117"),
    /** The files of positions cannot be used. */
    POSITION_FILES("JDB-0118"),
    /** The files of positions do not belong to the rows that the stages below have stored. */
    POSITIONS_LOST("JDB-0119"),
    /** The stages below cannot tell which rows they have stored. */
    STORED_UNKNOWN("JDB-0120");

    private final String text;

    JdbcErrorCode(final String text)
    {
        this.text = text;
    }

    /** The code as shown to users. */
    public String text()
    {
        return text;
    }

    /** Formats a message: code, fact, next step. */
    public String message(final String fact, final String next)
    {
        return text + ' ' + fact + "; " + next;
    }
}
