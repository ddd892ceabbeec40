package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Replaces placeholders with their values before the statement is parsed. A value that is a number, a string in quotes,
 * a duration or a constant is inserted unchanged; all other values are strings. Problems with a value are reported at
 * its placeholder. Used for one statement.
 */
final class Placeholders
{
    private static final Set<String> CONSTANTS = Set.of("true", "false", "null");
    private static final int MAX_PLACEHOLDERS = 1_000;

    private final List<String> values;
    private final boolean view;
    private final boolean[] used;
    private final Set<Token> replaced = Collections.newSetFromMap(new IdentityHashMap<>());

    Placeholders(final List<String> values, final boolean view)
    {
        this.values = values;
        this.view = view;
        used = new boolean[values == null ? 0 : values.size()];
    }

    List<Token> replace(final List<Token> tokens)
    {
        final List<Token> result = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++)
        {
            final Token token = tokens.get(i);
            if (token.is(":") && tokens.get(i + 1).kind() == Token.Kind.NUMBER)
            {
                final Token number = tokens.get(++i);
                result.addAll(valueOf(new Token(Token.Kind.SIGN, ":" + number.text(), token.start(), number.end(),
                    token.position().plus(number.position()))));
            }
            else
            {
                result.add(token);
            }
        }
        return result;
    }

    boolean isValue(final Token token)
    {
        return replaced.contains(token);
    }

    void checkAllUsed()
    {
        for (int i = 0; i < used.length; i++)
        {
            if (!used[i])
            {
                throw new CqlRuleException(Message.PARAMETER_COUNT, null, values.size(), ":" + (i + 1));
            }
        }
    }

    private List<Token> valueOf(final Token placeholder)
    {
        final String name = placeholder.text();
        if (view)
        {
            throw new CqlRuleException(Message.PLACEHOLDER_IN_VIEW, placeholder.position(), name);
        }
        if (values == null)
        {
            throw new CqlRuleException(Message.PLACEHOLDER_UNBOUND, placeholder.position(), name);
        }
        final String digits = name.substring(1);
        final int index = digits.matches("\\d{1,4}") ? Integer.parseInt(digits) : -1;
        if (index < 1 || index > MAX_PLACEHOLDERS)
        {
            throw new CqlRuleException(Message.BAD_PLACEHOLDER, placeholder.position(), name);
        }
        if (index > used.length)
        {
            throw new CqlRuleException(Message.PLACEHOLDER_WITHOUT_VALUE, placeholder.position(), name, used.length);
        }
        if (used[index - 1])
        {
            throw new CqlRuleException(Message.PLACEHOLDER_TWICE, placeholder.position(), name);
        }
        used[index - 1] = true;
        final List<Token> value = new ArrayList<>();
        for (final Token token : tokensOf(values.get(index - 1).strip()))
        {
            value.add(new Token(token.kind(), token.text(), placeholder.start(), placeholder.end(),
                placeholder.position()));
        }
        replaced.addAll(value);
        return value;
    }

    private static List<Token> tokensOf(final String value)
    {
        try
        {
            final List<Token> tokens = new Lexer(value).tokens();
            tokens.remove(tokens.size() - 1);
            if (isConstant(tokens))
            {
                return tokens;
            }
        }
        catch (final CqlRuleException noTokens)
        {
            // Then it is a string.
        }
        return List.of(new Token(Token.Kind.STRING, value, 0, value.length(), null));
    }

    private static boolean isConstant(final List<Token> tokens)
    {
        final int sign = !tokens.isEmpty() && (tokens.get(0).is("-") || tokens.get(0).is("+")) ? 1 : 0;
        final Token first = tokens.size() > sign ? tokens.get(sign) : null;
        if (first == null)
        {
            return false;
        }
        return switch (first.kind())
        {
            case NUMBER -> tokens.size() == sign + 1 ||
                tokens.size() == 2 && sign == 0 && TimeUnitNames.isUnit(tokens.get(1));
            case STRING -> tokens.size() == 1;
            case WORD -> tokens.size() == 1 && CONSTANTS.contains(first.text().toLowerCase(Locale.ROOT)) ||
                first.is("interval") && tokens.size() >= 3 && tokens.get(1).kind() == Token.Kind.STRING;
            default -> false;
        };
    }
}
