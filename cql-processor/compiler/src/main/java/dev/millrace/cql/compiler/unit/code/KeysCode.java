package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.List;

/**
 * A table of keys with a record for each: the words of the key, then those of its owner.
 *
 * <p>Used by one thread, for one class.
 */
public final class KeysCode
{
    private final String name;
    private final Words words;
    private final int width;

    /**
     * Declares a table.
     *
     * @param name    of its field
     * @param words   of a key
     * @param own     how many words the owner has
     * @param maxKeys Java expression of how many keys there may be
     */
    public KeysCode(final UnitText unit, final String name, final Words words, final int own, final String maxKeys)
    {
        this.name = name;
        this.words = words;
        width = words.count() + own;
        final String table = switch (words.count())
        {
            case 1 -> "LongKeys";
            case 2 -> "LongPairKeys";
            default -> "LongsKeys";
        };
        unit.field("final " + table, name, "new " + table + '(' +
            (table.equals("LongsKeys") ? words.count() + ", " : "") + width + ", " + maxKeys +
            ", memory)");
        if (words.hasCodes())
        {
            unit.construct(name + ".hold(" + words.held() + ");");
        }
    }

    /** Java expression of all records. */
    public String records()
    {
        return name + ".records";
    }

    /** Words of a record. */
    public int width()
    {
        return width;
    }

    /** Words of a key. */
    public int keyWords()
    {
        return words.count();
    }

    /**
     * Writes the look-up of a key, which is taken in when it is new.
     *
     * @return name of the id, which is negative when there is no room
     */
    public String find(final ExpressionCode code, final List<Operand> key)
    {
        final List<String> values = words.of(code, key);
        final String id = code.name("g");
        String arguments = String.join(", ", values);
        if (values.size() > 2)
        {
            for (int i = 0; i < values.size(); i++)
            {
                code.line(name + ".key[" + i + "] = " + values.get(i) + ';');
            }
            arguments = "";
        }
        code.line("final int " + id + " = " + name + ".findOrAdd(" + arguments + ");");
        return id;
    }

    /** A column of the key of a record. */
    public Operand read(final int column, final String base, final boolean nullable)
    {
        return words.read(column, records(), base, nullable);
    }
}
