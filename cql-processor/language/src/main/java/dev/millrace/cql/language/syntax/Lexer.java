package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Splits a statement into tokens. Single use, not thread-safe. */
final class Lexer
{
    private static final String[] LONG_SIGNS = {"<>", "<=", ">=", "!=", "||", "{-", "-}"};
    private static final String SHORT_SIGNS = "+-*/=<>()[]{},.|?:@^$;";

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineStart;

    Lexer(final String text)
    {
        this.text = text;
    }

    List<Token> tokens()
    {
        while (true)
        {
            skipBlanks();
            if (at >= text.length())
            {
                final SqlParserPos position = tokens.isEmpty() ? new SqlParserPos(1, 1) : endOfLast();
                tokens.add(new Token(Token.Kind.END, "", at, at, position));
                return tokens;
            }
            final char c = text.charAt(at);
            if (Character.isLetter(c) || c == '_')
            {
                word();
            }
            else if (isDigit(c) || c == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1)) && startsNumber())
            {
                number();
            }
            else if (c == '"' || c == '\'')
            {
                string(c);
            }
            else if (c == '`')
            {
                quotedName();
            }
            else
            {
                sign(c);
            }
        }
    }

    private SqlParserPos endOfLast()
    {
        final SqlParserPos last = tokens.get(tokens.size() - 1).position();
        return new SqlParserPos(last.getEndLineNum(), last.getEndColumnNum() + 1);
    }

    private void skipBlanks()
    {
        while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '\u00a0'))
        {
            advance();
        }
    }

    private void advance()
    {
        final char c = text.charAt(at++);
        if (c == '\n' || c == '\r' && (at >= text.length() || text.charAt(at) != '\n'))
        {
            line++;
            lineStart = at;
        }
    }

    private static boolean isDigit(final char c)
    {
        return c >= '0' && c <= '9';
    }

    private static boolean isNamePart(final char c)
    {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '#';
    }

    /** A point before a digit starts a number unless the preceding token could include it. */
    private boolean startsNumber()
    {
        if (tokens.isEmpty())
        {
            return true;
        }
        final Token last = tokens.get(tokens.size() - 1);
        return last.kind() == Token.Kind.SIGN && !last.text().equals(")") && !last.text().equals("]") ||
            last.kind() == Token.Kind.WORD && last.end() < at;
    }

    private void word()
    {
        final int start = at;
        while (at < text.length() && isNamePart(text.charAt(at)))
        {
            at++;
        }
        add(Token.Kind.WORD, text.substring(start, at), start, line, start - lineStart + 1);
    }

    private void number()
    {
        final int start = at;
        digits();
        if (at + 1 < text.length() && text.charAt(at) == '.' && isDigit(text.charAt(at + 1)))
        {
            at++;
            digits();
        }
        else if (at < text.length() && text.charAt(at) == '.' && (at + 1 == text.length() ||
            !isNamePart(text.charAt(at + 1))))
        {
            at++;
        }
        if (at < text.length() && (text.charAt(at) | 0x20) == 'e')
        {
            final int sign = at + 1 < text.length() && "+-".indexOf(text.charAt(at + 1)) >= 0 ? 2 : 1;
            if (at + sign < text.length() && isDigit(text.charAt(at + sign)))
            {
                at += sign;
                digits();
            }
        }
        if (at < text.length() && "fFdDlL".indexOf(text.charAt(at)) >= 0)
        {
            at++;
        }
        final int column = start - lineStart + 1;
        if (at < text.length() && isNamePart(text.charAt(at)))
        {
            while (at < text.length() && isNamePart(text.charAt(at)))
            {
                at++;
            }
            throw new CqlRuleException(Message.BAD_NUMBER, new SqlParserPos(line, column, line, at - lineStart),
                text.substring(start, at)).withHint(TimeUnitNames.durationHint(text.substring(start, at)));
        }
        add(Token.Kind.NUMBER, text.substring(start, at), start, line, column);
    }

    private void digits()
    {
        while (at < text.length() && isDigit(text.charAt(at)))
        {
            at++;
        }
    }

    private void string(final char quote)
    {
        final int start = at;
        final int startLine = line;
        final int startColumn = at - lineStart + 1;
        final StringBuilder value = new StringBuilder();
        at++;
        while (true)
        {
            if (at >= text.length())
            {
                throw new CqlRuleException(Message.STRING_NOT_CLOSED, new SqlParserPos(startLine, startColumn), quote);
            }
            final char c = text.charAt(at);
            if (c == quote)
            {
                if (at + 1 >= text.length() || text.charAt(at + 1) != quote)
                {
                    at++;
                    add(Token.Kind.STRING, value.toString(), start, startLine, startColumn);
                    return;
                }
                at++;
            }
            value.append(c);
            advance();
        }
    }

    private void quotedName()
    {
        final int start = at;
        final int close = text.indexOf('`', at + 1);
        final int newLine = text.indexOf('\n', at + 1);
        final int column = start - lineStart + 1;
        if (close <= start + 1 || newLine >= 0 && newLine < close)
        {
            throw new CqlRuleException(Message.BAD_QUOTED_NAME, new SqlParserPos(line, column));
        }
        at = close + 1;
        add(Token.Kind.QUOTED, text.substring(start + 1, close), start, line, column);
    }

    private void sign(final char c)
    {
        final int start = at;
        final int column = start - lineStart + 1;
        if (text.startsWith("/*", at) || text.startsWith("--", at))
        {
            throw new CqlRuleException(Message.COMMENT, new SqlParserPos(line, column, line, column + 1));
        }
        for (final String sign : LONG_SIGNS)
        {
            if (text.startsWith(sign, at))
            {
                at += 2;
                add(Token.Kind.SIGN, sign, start, line, column);
                return;
            }
        }
        if (SHORT_SIGNS.indexOf(c) < 0)
        {
            final int shown = text.codePointAt(at);
            throw new CqlRuleException(Message.UNKNOWN_CHARACTER, new SqlParserPos(line, column),
                Character.isISOControl(shown) ? String.format("U+%04X", shown) : Character.toString(shown));
        }
        at++;
        add(Token.Kind.SIGN, String.valueOf(c), start, line, column);
    }

    private void add(final Token.Kind kind, final String value, final int start, final int startLine, final int column)
    {
        tokens.add(new Token(kind, value, start, at, new SqlParserPos(startLine, column, line, at - lineStart)));
    }
}
