package dev.millrace.cql.testkit.java;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A class as users write it. */
public class Sample
{
    /** Constant. */
    public static final String GREETING = "hello";
    /** Class in a class. */
    public static final Inner INNER = new Inner();
    /** Field that changes. */
    public static int counter;

    /** Field. */
    public final String name;
    /** Field of another class. */
    public final Inner inner = new Inner();
    private final int weight;

    /** With a weight. */
    public Sample(final String name, final int weight)
    {
        this.name = name;
        this.weight = weight;
    }

    /** Without. */
    public Sample(final String name)
    {
        this(name, 1);
    }

    /** Class in a class. */
    public static class Inner
    {
        /** Field. */
        public final long size = 42L;

        /** Method. */
        public String tell(final String what)
        {
            return "inner " + what;
        }
    }

    /** Getter. */
    public int getWeight()
    {
        return weight;
    }

    /** Getter of a condition. */
    public boolean isHeavy()
    {
        return weight > 10;
    }

    /** Array. */
    public String[] parts()
    {
        return name.split("-");
    }

    /** Array of numbers. */
    public int[] digits()
    {
        return new int[]{7, 8, 9};
    }

    /** Array of arrays. */
    public int[][] table()
    {
        return new int[][]{{1}};
    }

    /** Itself. */
    public Sample self()
    {
        return this;
    }

    /** No result. */
    public void nothing()
    {
        counter++;
    }

    /** Which one is called with what. */
    public static String which(final int x)
    {
        return "int";
    }

    /** Overload. */
    public static String which(final long x)
    {
        return "long";
    }

    /** Overload. */
    public static String which(final Integer x)
    {
        return "Integer";
    }

    /** Overload. */
    public static String which(final Object x)
    {
        return "Object";
    }

    /** Overload. */
    public static String wide(final long x)
    {
        return "long";
    }

    /** Overload. */
    public static String wide(final Integer x)
    {
        return "Integer";
    }

    /** Overload. */
    public static String wide(final Object x)
    {
        return "Object";
    }

    /** Overload. */
    public static String boxed(final Integer x)
    {
        return "Integer";
    }

    /** Overload. */
    public static String boxed(final Object x)
    {
        return "Object";
    }

    /** Only anything. */
    public static String any(final Object x)
    {
        return x.getClass().getSimpleName();
    }

    /** Variable number of arguments. */
    public static String many(final String... texts)
    {
        return String.join("+", texts);
    }

    /** Two that fit equally. */
    public static String two(final CharSequence a, final Object b)
    {
        return "first";
    }

    /** Two that fit equally. */
    public static String two(final Object a, final CharSequence b)
    {
        return "second";
    }

    /** A small float. */
    public static float half(final float x)
    {
        return x / 2;
    }

    /** Takes a sample. */
    public static int weigh(final Sample sample)
    {
        return sample.weight;
    }

    /** Fails. */
    public static int fail(final int x)
    {
        if (x > 5)
        {
            throw new IllegalStateException("too large: " + x);
        }
        return x;
    }

    /** Never calls back. */
    public static int deep(final int x)
    {
        return deep(x + 1) + 1;
    }

    /** Returns what is requested. */
    public static Object thing(final int x)
    {
        return x == 0 ? null : x == 1 ? "text" : x == 2 ? (Object) List.of(1, 2) : new Sample("made", x);
    }

    /** Small numbers. */
    public static short small()
    {
        return 3;
    }

    /** Small numbers in boxes. */
    public static Byte smallBox()
    {
        return 4;
    }

    /** A character. */
    public static char letter()
    {
        return 'x';
    }

    /** A boxed character. */
    public static Character letterBox(final boolean there)
    {
        return there ? 'y' : null;
    }

    /** An empty string. */
    public static String empty()
    {
        return "";
    }

    /** Counts its calls. */
    public static int count(final String text)
    {
        return ++counter;
    }

    /** For TABLE. */
    public static List<String> words(final String text)
    {
        return text == null ? null : List.of(text.split(" "));
    }

    /** For TABLE. */
    public static Sample[] samples(final String text, final int count)
    {
        final Sample[] all = new Sample[count];
        for (int i = 0; i < count; i++)
        {
            all[i] = new Sample(text + i, i);
        }
        return all;
    }

    /** For TABLE. */
    public static Stream<Integer> numbers(final int count)
    {
        return Stream.iterate(1, x -> x + 1).limit(count);
    }

    /** For TABLE. */
    public static Iterable<Object> mixed()
    {
        return List.of("text", 5);
    }

    /** For TABLE. */
    public static int[] squares(final int count)
    {
        final int[] all = new int[count];
        for (int i = 0; i < count; i++)
        {
            all[i] = i * i;
        }
        return all;
    }

    /** An empty map. */
    public static Map<String, String> map()
    {
        return Map.of("a", "b");
    }
}
