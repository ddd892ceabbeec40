package dev.millrace.cql.testkit.java;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.JavaClasses;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of Java in values and conditions. The row is {@code ('abc', 7, 8, 2.5, a sample)}. */
@Timeout(60)
class JavaCallTest
{
    private static final String SAMPLE = "dev.millrace.cql.testkit.java.Sample";
    private static final Sample VALUE = new Sample("k-l-m", 12);
    private static final Object[] ROW = {"abc", 7, 8L, 2.5, VALUE};
    /** Finds the sample by its simple name, like a class of the unnamed package. */
    private static final JavaClasses SHORT = name -> name.equals("Sample") || name.startsWith("Sample$") ?
        JavaClasses.of(Sample.class.getClassLoader()).find("dev.millrace.cql.testkit.java." + name) :
        JavaClasses.of(Sample.class.getClassLoader()).find(name);

    private static Object value(final String expression, final Object... row) throws CqlException
    {
        final Rules run = new Rules().classes(SHORT).query("select " + expression + " as x from S").start()
            .row(1, row);
        assertThat(run.rejected()).isEmpty();
        assertThat(run.rows()).hasSize(1);
        return run.rows().get(0).get(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "c.substring(1,2)                       ; b",
        "S.c.substring(1)                       ; bc",
        "c.toUpperCase().concat(\"x\")          ; ABCx",
        "c.length()                             ; 3",
        "Math.max(i, 9)                         ; 9",
        "java.lang.Math.max(i, b)               ; 8",
        "java.lang.Math.PI                      ; 3.141592653589793",
        "Math.PI                                ; 3.141592653589793",
        "Integer.MAX_VALUE                      ; 2147483647",
        "String(\"foo\")                        ; foo",
        "String(\"foo\").length()               ; 3",
        "String@java(\"foo\")                   ; foo",
        "String@com.oracle.cep.cartrdiges.java(\"foo\") ; foo",
        "java.lang.String(\"foo\").concat(c)    ; fooabc",
        "java.lang.StringBuilder@java(c).reverse().toString() ; cba",
        "java.math.BigDecimal(\"1.50\").scale() ; 2",
        "Math.abs(-i)                           ; 7",
        "java.lang.Math.abs@java(i)             ; 7",
        "Integer.parseInt(c.substring(0,0) || \"42\") ; 42",
        "Long.valueOf(b).intValue()             ; 8",
        "i.toString()                           ; 7",
        "c.charAt(0)                            ; a",
        "String.valueOf(c.toCharArray())        ; abc",
        "c.toCharArray()[2]                     ; c",
        "c.toCharArray()[i - 6]                 ; b",
        "c.toCharArray().length                 ; 3",
        "c.getBytes().length                    ; 3",
        "c.getBytes()[0]                        ; 97",
        "hextoraw(\"0AFF\")[1]                  ; -1",
        "Character.isLetter(c.codePointAt(0)).toString() ; true",
        "case when c.startsWith(\"ab\") then 1 else 2 end ; 1"
    })
    void shouldCallClassesOfJava(final String expression, final String expected) throws CqlException
    {
        assertThat(value(expression, ROW).toString()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "Sample(c).name                         ; abc",
        "Sample(c, i).getWeight()               ; 7",
        "Sample(c, i).weight                    ; 7",
        "Sample(c, 11).heavy                    ; true",
        "Sample(c).self().self().name.length()  ; 3",
        "Sample(\"a-b-c\").parts()[1]           ; b",
        "Sample(c).digits()[2]                  ; 9",
        "Sample(c).digits().length              ; 3",
        "Sample(c).inner.size                   ; 42",
        "Sample(c).inner.tell(c)                ; inner abc",
        "Sample.INNER.tell(\"you\")             ; inner you",
        "Sample.INNER.size                      ; 42",
        "Sample.GREETING                        ; hello",
        "Sample.GREETING.length()               ; 5",
        "Sample.Inner().size                    ; 42",
        "Sample.half(1.5)                       ; 0.75",
        "Sample.weigh(Sample(c, 3))             ; 3",
        "Sample.many(c.split(\"b\"))            ; a+c",
        "Sample.small()                         ; 3",
        "Sample.smallBox() + 1                  ; 5",
        "Sample.letter() || \"z\"               ; xz",
        "Sample.letterBox(true)                 ; y",
        "Sample.map().size()                    ; 1",
        "Sample.map().get(\"a\").toString()     ; b",
        "Sample.thing(1).toString()             ; text",
        "Sample.weigh(Sample.thing(9))          ; 9"
    })
    void shouldCallClassesOfUsers(final String expression, final String expected) throws CqlException
    {
        assertThat(value(expression, ROW).toString()).isEqualTo(expected);
    }

    /** An int prefers int, then long, then Integer, then Object. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "Sample.which(5)                        ; int",
        "Sample.which(i)                        ; int",
        "Sample.which(b)                        ; long",
        "Sample.which(5000000000)               ; long",
        "Sample.which(d)                        ; Object",
        "Sample.which(c)                        ; Object",
        "Sample.which(Integer.valueOf(5))       ; int",
        "Sample.wide(5)                         ; long",
        "Sample.boxed(5)                        ; Integer",
        "Sample.boxed(b)                        ; Object",
        "Sample.any(5)                          ; Integer",
        "Sample.any(b)                          ; Long",
        "Sample.any(1.5)                        ; Double",
        "Sample.any(1.5f)                       ; Float",
        "Sample.any(c)                          ; String",
        "Sample.any(o)                          ; Sample",
        "Sample.any(hextoraw(\"00\"))           ; byte[]",
        "Sample.any(to_timestamp(b))            ; Long",
        "Sample.any(5 > 4 and i > 1)            ; -"
    })
    void shouldChooseOverloadsAsJavaDoes(final String expression, final String expected) throws CqlException
    {
        if (expected.equals("-"))
        {
            assertThat(new Rules().classes(SHORT).query("select " + expression + " as x from S").problem().code())
                .isEqualTo("CQL-3004");
            return;
        }
        assertThat(value(expression, ROW)).isEqualTo(expected);
    }

    /** Null in, null out, and Java is not called. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "c.length()", "Math.abs(i)", "Sample.any(o)", "Sample(c).name", "Sample.which(null)", "o.hashCode()",
        "String(c)", "Sample(\"a-b\").parts()[i]", "Sample.letterBox(false)", "Sample.thing(0)", "Sample.empty()",
        "Sample.fail(i)", "Sample(\"x\").self().name.concat(c)"
    })
    void shouldGiveNullForNull(final String expression) throws CqlException
    {
        assertThat(value(expression, null, null, null, null, null)).isNull();
    }

    @Test
    void shouldStandInEveryClause() throws CqlException
    {
        final Rules run = new Rules().classes(SHORT).query("IStream(select c.substring(0,1) as letter, " +
            "sum(Math.abs(i)) as total, count(*) as n from S where c.length() > 1 and not c.startsWith(\"x\") " +
            "group by c.substring(0,1) having Sample.fail(count(*).intValue()) > 1)").start()
            .row(1, "ab", -3, null, null, null).row(2, "xb", 1, null, null, null).row(3, "a", 1, null, null, null)
            .row(4, "ac", 5, null, null, null).row(5, "bc", 5, null, null, null);
        assertThat(run.rows()).containsExactly(List.of("a", 8, 2L));
    }

    @Test
    void shouldPassObjectsThroughViewsWithTheirClass() throws CqlException
    {
        final Rules run = new Rules().classes(SHORT)
            .view("made", "select Sample(c, i) as sample, c as c from S where i > 0")
            .view("named", "select sample.self() as again, sample.name as name from made")
            .query("select again.weight as w, name, again from named where again.inner.size = 42").start()
            .row(1, "ab", 3, null, null, null).row(2, "ab", 0, null, null, null);
        assertThat(run.rows()).hasSize(1);
        assertThat(run.rows().get(0).subList(0, 2)).isEqualTo(List.of(3, "ab"));
        assertThat(run.rows().get(0).get(2)).isInstanceOf(Sample.class);
    }

    @Test
    void shouldKnowTheClassesOfPropertiesOfBeans() throws CqlException
    {
        final EventType type = new EventType("S", EventType.Kind.BEAN, List.of(
            new EventProperty("id", CqlType.INT), new EventProperty("sample", CqlType.OBJECT)), Holder.class);
        final Rules run = new Rules(type).query("select sample.name as n from S").start().row(1, 1, VALUE);
        assertThat(run.rows()).containsExactly(List.of("k-l-m"));
    }

    /** Event with an object. */
    public static final class Holder
    {
        private int id;
        private Sample sample;

        public int getId()
        {
            return id;
        }

        public void setId(final int value)
        {
            id = value;
        }

        public Sample getSample()
        {
            return sample;
        }

        public void setSample(final Sample value)
        {
            sample = value;
        }
    }

    @Test
    void shouldWorkInPatterns() throws CqlException
    {
        final Rules run = new Rules().classes(SHORT).query("select n, l, p from S match_recognize (measures " +
            "A.c.substring(1) as n, last(B.c.length()) as l, Math.PI as p pattern (A B+ C) define " +
            "A as A.c.startsWith(\"a\"), B as c.charAt(0) = \"b\" and Math.abs(B.i) > 1, " +
            "C as Sample.weigh(Sample(C.c, C.i)) = 9) as m").start()
            .row(1, "ax", 0, null, null, null).row(2, "bcd", -5, null, null, null).row(3, "bc", 3, null, null, null)
            .row(4, "z", 9, null, null, null).row(5, "z", 9, null, null, null);
        assertThat(run.rows()).containsExactly(List.of("x", 2, Math.PI));
    }

    @Test
    void shouldKeepClassesThroughPatterns() throws CqlException
    {
        final Rules run = new Rules().classes(SHORT).view("made", "select Sample(c, i) as s from S")
            .query("select t.name, u from made match_recognize (measures A.s as t, B.s.name as u pattern (A B) " +
                "define B as B.s.weight > A.s.weight) as m").start()
            .row(1, "x", 1, null, null, null).row(2, "y", 2, null, null, null).row(3, "y", 3, null, null, null);
        assertThat(run.rows()).containsExactly(List.of("x", "y"));
    }

    @Test
    void shouldLetColumnsAndSourcesWinOverClasses() throws CqlException
    {
        final EventType type = EventType.tuple("Math", new EventProperty("Integer", CqlType.CHAR),
            new EventProperty("PI", CqlType.INT));
        final Rules run = new Rules(type).query("select Math.PI as a, Math.Integer.length() as b, " +
            "Integer.length() as c, PI.hashCode() as d, Math.abs(Math.PI) as e from Math").start().row(1, "abcd", -1);
        assertThat(run.rows()).containsExactly(List.of(-1, 4, 4, -1, 1));
    }

    @Test
    void shouldRejectARowWhenJavaThrowsAndGoOn() throws CqlException
    {
        final Rules run = new Rules().classes(SHORT).query("select Sample.fail(i) as x from S").start()
            .row(1, "a", 9, null, null, null).row(2, "a", 4, null, null, null).row(3, "a", 8, null, null, null);
        assertThat(run.rows()).containsExactly(List.of(4));
        assertThat(run.rejected()).hasSize(2);
        assertThat(run.rejected().get(0)).startsWith("function-failed").contains("Sample.fail", "too large: 9");
    }

    @Test
    void shouldRejectARowForEveryKindOfFailure() throws CqlException
    {
        for (final String expression : List.of("Sample.deep(i)", "c.substring(9)", "Sample(c).digits()[i]",
            "Sample(c).digits()[-1]", "Sample.weigh(o)", "Sample.thing(i).hashCode() / 0",
            "Integer.parseInt(c)", "Sample.fail(Sample.thing(i))"))
        {
            final Rules run = new Rules().classes(SHORT).query("select " + expression + " as x from S").start()
                .row(1, "abc", 7, 8L, 2.5, "no sample");
            assertThat(run.rows()).as(expression).isEmpty();
            assertThat(run.rejected()).as(expression).hasSize(1);
        }
    }

    @Test
    void shouldCallOnceForEveryTimeItIsWritten() throws CqlException
    {
        Sample.counter = 0;
        final Rules run = new Rules().classes(SHORT).query("select Sample.count(c) as x, Sample.count(c) as y from S " +
            "where i > 1").start().row(1, "a", 9, null, null, null).row(2, "a", 0, null, null, null)
            .row(3, "a", 8, null, null, null);
        assertThat(run.rows()).containsExactly(List.of(1, 2), List.of(3, 4));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "CQL-2014 ; com.acme.Missing.method(i)     ; com.acme.Missing",
        "CQL-2014 ; com.acme.Missing.FIELD         ; com.acme.Missing.FIELD",
        "CQL-2014 ; S.c.size.big[0].x.y()          ; -",
        "CQL-2004 ; Missing.FIELD                  ; Missing",
        "CQL-2014 ; missing.method()               ; missing",
        "CQL-2005 ; Missing(i)                     ; Missing",
        "CQL-2005 ; missing(i)                     ; missing",
        "CQL-2015 ; String@nowhere(c)              ; nowhere",
        "CQL-2015 ; createPoint@spacial(i, i)      ; spacial",
        "CQL-2005 ; String@spatial(c)              ; String@spatial",
        "CQL-2005 ; createPont@spatial(i, i)       ; createPont@spatial",
        "CQL-2014 ; Math.createPoint@spatial(i, i) ; Math",
        "CQL-3008 ; createPoint@spatial(c, i)      ; createPoint@spatial(double, double)",
        "CQL-3008 ; createPolygon@spatial(1, c)    ; createPolygon@spatial(double...)",
        "CQL-2005 ; createPoint(i, i)              ; createPoint",
        "CQL-2014 ; nothing@java(c)                ; nothing",
        "CQL-2016 ; c.subString(1)                 ; subString",
        "CQL-2016 ; Math.nothing(1)                ; nothing",
        "CQL-2016 ; Math.NOTHING                   ; NOTHING",
        "CQL-2016 ; Sample(c).nowhere              ; nowhere",
        "CQL-2016 ; Math(1)                        ; constructor",
        "CQL-2016 ; Number()                       ; constructor",
        "CQL-2016 ; o.name                         ; name",
        "CQL-2016 ; c.valueOf(1)                   ; valueOf",
        "CQL-2016 ; String.length()                ; length",
        "CQL-3008 ; c.substring(c)                 ; substring(int, int)",
        "CQL-3008 ; Math.abs(c)                    ; abs(",
        "CQL-3008 ; Sample.many(c, c)              ; many(String[])",
        "CQL-3008 ; Sample.half(d)                 ; half(float)",
        "CQL-3008 ; Sample.weigh(StringBuilder(c)) ; (StringBuilder)",
        "CQL-3008 ; Math.abs(null)                 ; abs(",
        "CQL-3008 ; Sample(c, d)                   ; Sample(",
        "CQL-3010 ; to_timestamp(b).length()       ; timestamp",
        "CQL-3010 ; (\"abc\").length()             ; literal",
        "CQL-3010 ; (5).hashCode()                 ; literal",
        "CQL-3011 ; c[0]                           ; String",
        "CQL-3011 ; c.toCharArray()[b]             ; bigint",
        "CQL-3011 ; Sample(c).table()[0]           ; int[][]",
        "CQL-3012 ; Sample(c).nothing()            ; nothing",
        "CQL-3013 ; Sample.two(c, c)               ; two("
    })
    void shouldRefuseWhatJavaWouldRefuse(final String code, final String expression, final String part)
    {
        final CqlProblem problem =
            new Rules().classes(SHORT).query("select " + expression.strip() + " as x from S").problem();
        if (!part.strip().equals("-"))
        {
            assertThat(problem.code()).as(problem.toString()).isEqualTo(code.strip());
            assertThat(problem.text() + "; " + problem.hint()).contains(part.strip());
        }
        assertThat(problem.column()).as(problem.toString()).isGreaterThanOrEqualTo(8);
        assertThat(problem.line()).isEqualTo(1);
    }

    @Test
    void shouldFindNoClassWhenThePolicyHidesIt()
    {
        assertThat(new Rules().classes(JavaClasses.NONE).query("select Math.abs(i) as x from S").problem().code())
            .isEqualTo("CQL-2014");
        assertThat(new Rules().classes(name -> Hidden.class).query("select a.Hidden.call() as x from S").problem()
            .code()).isEqualTo("CQL-2014");
        assertThat(new Rules().query("select " + SAMPLE + ".GREETING as x from S").classes(name ->
            name.equals(SAMPLE) ? Sample.class : null).rows()).isEmpty();
    }

    /** A class that needs another one that is missing. */
    @Test
    void shouldSayThatAClassCannotBeLinked() throws IOException
    {
        final byte[] bytes;
        try (InputStream in = Needy.class.getClassLoader().getResourceAsStream(
            Needy.class.getName().replace('.', '/') + ".class"))
        {
            bytes = in.readAllBytes();
        }
        final ClassLoader alone = new ClassLoader(null)
        {
            @Override
            protected Class<?> findClass(final String name)
            {
                return defineClass(Needy.class.getName(), bytes, 0, bytes.length);
            }
        };
        final CqlProblem problem = new Rules().classes(name -> name.equals("a.Needy") ?
            JavaClasses.of(alone).find(Needy.class.getName()) : null)
            .query("select a.Needy.call(1) as x from S").problem();
        assertThat(problem.code()).isIn("CQL-2014", "CQL-2019");
    }

    /** Depends on its test. */
    public static class Needy
    {
        /** Has a parameter of a class that cannot be found. */
        public static int call(final JavaCallTest test)
        {
            return 1;
        }
    }

    /** Not public. */
    static final class Hidden
    {
        private Hidden()
        {
        }

        /** Not accessible. */
        public static int call()
        {
            return 1;
        }
    }

    @Test
    void shouldCallMethodsOfHiddenClassesWhereTheyAreDeclaredInPublic() throws CqlException
    {
        final EventType type = new EventType("S", EventType.Kind.BEAN, List.of(
            new EventProperty("list", CqlType.OBJECT)), Lists.class);
        final Rules run = new Rules(type).query("select list.size() as n, list.get(0) as first from S").start()
            .row(1, Arrays.asList("a", "b"));
        assertThat(run.rows()).containsExactly(List.of(2, "a"));
    }

    /** Event with a list. */
    public static final class Lists
    {
        public List<String> getList()
        {
            return List.of();
        }
    }
}
