package dev.millrace.cluster.cache;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Encodes values that every member can read regardless of its applications: a type byte, then the value. */
final class PortableValueCodec
{
    private static final int NULL = 0;
    private static final int INT = 1;
    private static final int LONG = 2;
    private static final int FLOAT = 3;
    private static final int DOUBLE = 4;
    private static final int TRUE = 5;
    private static final int FALSE = 6;
    private static final int TEXT = 7;
    private static final int DECIMAL = 8;
    private static final int BYTES = 9;
    private static final int LIST = 10;
    private static final int MAP = 11;

    private PortableValueCodec()
    {
    }

    /** Writes a value; throws for a value of an unsupported class. */
    static void write(final Object value, final WireWriter out)
    {
        if (value == null)
        {
            out.one(NULL);
        }
        else if (value instanceof final Integer number)
        {
            out.one(INT).count(number & 0xffff_ffffL);
        }
        else if (value instanceof final Long number)
        {
            out.one(LONG).fixed(number);
        }
        else if (value instanceof final Float number)
        {
            out.one(FLOAT).count(Float.floatToRawIntBits(number) & 0xffff_ffffL);
        }
        else if (value instanceof final Double number)
        {
            out.one(DOUBLE).fixed(Double.doubleToRawLongBits(number));
        }
        else if (value instanceof final Boolean truth)
        {
            out.one(truth ? TRUE : FALSE);
        }
        else
        {
            writeLarger(value, out);
        }
    }

    private static void writeLarger(final Object value, final WireWriter out)
    {
        if (value instanceof final CharSequence text)
        {
            out.one(TEXT).text(text.toString());
        }
        else if (value instanceof final BigDecimal number)
        {
            out.one(DECIMAL).text(number.toString());
        }
        else if (value instanceof final byte[] bytes)
        {
            out.one(BYTES).block(bytes);
        }
        else if (value instanceof final List<?> list)
        {
            out.one(LIST).count(list.size());
            list.forEach(each -> write(each, out));
        }
        else if (value instanceof final Map<?, ?> map)
        {
            out.one(MAP).count(map.size());
            map.forEach((key, each) ->
            {
                write(key, out);
                write(each, out);
            });
        }
        else
        {
            throw new IllegalArgumentException("members of a cluster cannot share objects of this class, class=" +
                value.getClass().getName() + "; give the cache a value-type, or use strings, numbers, booleans, "
                    + "bytes, " +
                "lists and maps");
        }
    }

    static Object read(final WireReader in)
    {
        final int kind = in.one();
        return switch (kind)
        {
            case NULL -> null;
            case INT -> (int)in.count();
            case LONG -> in.fixed();
            case FLOAT -> Float.intBitsToFloat((int)in.count());
            case DOUBLE -> Double.longBitsToDouble(in.fixed());
            case TRUE -> true;
            case FALSE -> false;
            case TEXT -> in.text();
            case DECIMAL -> new BigDecimal(in.text());
            case BYTES -> in.block();
            case LIST -> readList(in);
            case MAP -> readMap(in);
            default -> throw new IllegalArgumentException("unknown kind of value, kind=" + kind);
        };
    }

    private static List<Object> readList(final WireReader in)
    {
        final int size = in.size();
        final List<Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++)
        {
            list.add(read(in));
        }
        return list;
    }

    private static Map<Object, Object> readMap(final WireReader in)
    {
        final int size = in.size();
        final Map<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++)
        {
            map.put(read(in), read(in));
        }
        return map;
    }
}
