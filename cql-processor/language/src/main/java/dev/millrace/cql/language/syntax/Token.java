package dev.millrace.cql.language.syntax;

import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A word, number, string or sign of a statement.
 *
 * @param kind     kind of token
 * @param text     name, content of a string without quotes, or sign
 * @param start    offset of the first character
 * @param end      offset after the last character
 * @param position span
 */
record Token(Kind kind, String text, int start, int end, SqlParserPos position)
{
    /** Kinds of tokens. */
    enum Kind
    {
        WORD, QUOTED, STRING, NUMBER, SIGN, END
    }

    boolean is(final String wordOrSign)
    {
        return kind == Kind.WORD && text.equalsIgnoreCase(wordOrSign) ||
            kind == Kind.SIGN && text.equals(wordOrSign);
    }

    String shown()
    {
        return switch (kind)
        {
            case STRING -> "a string";
            case QUOTED -> '`' + text + '`';
            case END -> "the end";
            default -> "'" + text + "'";
        };
    }
}
