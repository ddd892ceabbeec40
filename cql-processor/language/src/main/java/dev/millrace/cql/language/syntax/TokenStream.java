package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The tokens of a statement with a current position, and the common parts of all parsers: expectations, names, nesting.
 */
final class TokenStream
{
    /** Words that structure a query and cannot be names without back-ticks. */
    static final Set<String> RESERVED = Set.of("select", "from", "where", "group", "having", "order", "by", "union",
        "except", "minus", "intersect", "as", "and", "or", "not", "xor", "in", "is", "null", "like", "between", "case",
        "when", "then", "else", "end", "on", "distinct", "istream", "dstream", "rstream");

    private final List<Token> tokens;
    private final List<CqlRuleException> warnings = new ArrayList<>();
    private final Placeholders placeholders;
    private int at;
    private int depth;
    private int chained;

    /**
     * Splits a statement.
     *
     * @param text       statement
     * @param parameters values of its placeholders, {@code null} without any
     * @param view       whether it is the statement of a view
     */
    TokenStream(final String text, final List<String> parameters, final boolean view)
    {
        if (text.length() > Message.MAX_TEXT_CHARS)
        {
            throw new CqlRuleException(Message.TEXT_TOO_LONG, null, text.length(), Message.MAX_TEXT_CHARS);
        }
        placeholders = new Placeholders(parameters, view);
        tokens = placeholders.replace(new Lexer(text).tokens());
        if (tokens.size() == 1)
        {
            throw new CqlRuleException(Message.EMPTY_STATEMENT, new SqlParserPos(1, 1));
        }
    }

    Token peek()
    {
        return tokens.get(at);
    }

    Token peek(final int ahead)
    {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    Token previous()
    {
        return tokens.get(at - 1);
    }

    Token next()
    {
        final Token token = tokens.get(at);
        if (token.kind() != Token.Kind.END)
        {
            at++;
        }
        return token;
    }

    boolean at(final String... words)
    {
        for (int i = 0; i < words.length; i++)
        {
            if (!peek(i).is(words[i]))
            {
                return false;
            }
        }
        return true;
    }

    boolean take(final String... words)
    {
        if (!at(words))
        {
            return false;
        }
        at += words.length;
        return true;
    }

    Token need(final String word)
    {
        if (!peek().is(word))
        {
            throw unexpected(Character.isLetter(word.charAt(0)) ? word.toUpperCase(Locale.ROOT) : "'" + word + "'",
                word);
        }
        return next();
    }

    /** A refusal of the current token; if it resembles a candidate keyword, that keyword becomes the hint. */
    CqlRuleException unexpected(final String expected, final String... candidates)
    {
        final Token token = peek();
        if (token.kind() == Token.Kind.END)
        {
            return new CqlRuleException(Message.UNEXPECTED_END, token.position(), expected);
        }
        if (token.kind() == Token.Kind.WORD)
        {
            final List<String> words = new ArrayList<>();
            for (final String candidate : candidates)
            {
                if (Character.isLetter(candidate.charAt(0)) && !candidate.equalsIgnoreCase(token.text()))
                {
                    words.add(candidate.toUpperCase(Locale.ROOT));
                }
            }
            final String nearest = Suggestions.nearest(token.text(), words);
            if (nearest != null)
            {
                return new CqlRuleException(Message.MISSPELT_KEYWORD, token.position(), token.shown(), expected,
                    nearest);
            }
        }
        return new CqlRuleException(Message.UNEXPECTED_TOKEN, token.position(), token.shown(), expected);
    }

    boolean atName()
    {
        final Token token = peek();
        return token.kind() == Token.Kind.QUOTED ||
            token.kind() == Token.Kind.WORD && !RESERVED.contains(token.text().toLowerCase(Locale.ROOT));
    }

    SqlIdentifier name(final String what)
    {
        if (!atName())
        {
            final Token token = peek();
            if (token.kind() == Token.Kind.WORD)
            {
                throw new CqlRuleException(Message.RESERVED_WORD, token.position(), token.text(), what);
            }
            throw unexpected(what);
        }
        return identifier(next());
    }

    static SqlIdentifier identifier(final Token token)
    {
        final SqlParserPos position = token.kind() == Token.Kind.QUOTED ? token.position().withQuoting(true) :
            token.position();
        return new SqlIdentifier(List.of(token.text()), null, position, List.of(position));
    }

    /** Refuses values that no placeholder used. */
    void checkParameters()
    {
        placeholders.checkAllUsed();
    }

    /** Whether a string is the value of a placeholder, so that it may also be a name. */
    boolean isValueOfPlaceholder(final Token token)
    {
        return placeholders.isValue(token);
    }

    /** Counts set operations and joins, whose trees are as deep as their chains are long. */
    void countChain()
    {
        if (++chained > Message.MAX_NESTING)
        {
            throw new CqlRuleException(Message.TOO_DEEP, previous().position(), Message.MAX_NESTING);
        }
    }

    /** The words from a token to the last consumed one, for messages. */
    String shownSince(final Token first)
    {
        final StringBuilder shown = new StringBuilder();
        for (int i = tokens.indexOf(first); i < at; i++)
        {
            shown.append(shown.isEmpty() ? "" : " ").append(tokens.get(i).text().toUpperCase(Locale.ROOT));
        }
        return shown.toString();
    }

    SqlParserPos since(final Token first)
    {
        return span(first.position(), (at > 0 ? previous() : first).position());
    }

    static SqlParserPos span(final SqlParserPos first, final SqlParserPos last)
    {
        return new SqlParserPos(first.getLineNum(), first.getColumnNum(), last.getEndLineNum(), last.getEndColumnNum());
    }

    /** Records a valid but probably unintended construct. */
    void warn(final CqlRuleException warning)
    {
        warnings.add(warning);
    }

    List<CqlRuleException> warnings()
    {
        return List.copyOf(warnings);
    }

    void enter()
    {
        if (++depth > Message.MAX_NESTING)
        {
            throw new CqlRuleException(Message.TOO_DEEP, peek().position(), Message.MAX_NESTING);
        }
    }

    void leave()
    {
        depth--;
    }
}
