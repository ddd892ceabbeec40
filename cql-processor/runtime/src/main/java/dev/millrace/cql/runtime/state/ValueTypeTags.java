package dev.millrace.cql.runtime.state;

/** First bytes of values, which identify their class. Never changed, only extended. Stateless. */
final class ValueTypeTags
{
    static final byte NULL = 0;
    static final byte FALSE = 1;
    static final byte TRUE = 2;
    static final byte INT = 3;
    static final byte LONG = 4;
    static final byte FLOAT = 5;
    static final byte DOUBLE = 6;
    static final byte DECIMAL = 7;
    static final byte STRING = 8;
    static final byte BYTES = 9;

    private ValueTypeTags()
    {
    }
}
