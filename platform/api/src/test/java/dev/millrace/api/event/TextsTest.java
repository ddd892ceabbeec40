package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TextsTest
{
    private static final EventType TYPE =
        EventType.tuple("Tick", new EventProperty("price", CqlType.DOUBLE), new EventProperty("name", CqlType.CHAR));

    private final Dictionary dictionary = new Dictionary("Tick.name", 3);
    private final EventBatch batch = new EventBatch(BatchSchema.sharing(TYPE, dictionary));
    private final Texts names = batch.texts(1);

    private static String copied(final Texts texts, final int row)
    {
        final byte[] bytes = new byte[64];
        Arrays.fill(bytes, (byte)'.');
        assertThat(texts.copy(row, bytes, 2)).isEqualTo(texts.length(row));
        return new String(bytes, 0, 2 + texts.length(row) + 1, StandardCharsets.UTF_8);
    }

    @Test
    void shouldBeOfCharColumnsOnly()
    {
        assertThat(batch.texts(0)).isNull();
        assertThat(batch.texts(1)).isSameAs(names);
        assertThat(names.codes()).isSameAs(batch.ints(1));
    }

    @Test
    void shouldGiveBackWhatWasWritten()
    {
        assertThat(names.set(0, "ORCL")).isTrue();
        assertThat(names.set(1, "Zürich, Hauptbahnhof")).isTrue();
        assertThat(names.set(2, null)).isTrue();
        assertThat(names.set(3, "")).isTrue();
        assertThat(names.set(255, "ORCL")).isTrue();
        assertThat(names.string(0)).isEqualTo("ORCL");
        assertThat(names.string(1)).isEqualTo("Zürich, Hauptbahnhof");
        assertThat(names.string(2)).isNull();
        assertThat(names.string(3)).isNull();
        assertThat(copied(names, 0)).isEqualTo("..ORCL.");
        assertThat(copied(names, 1)).isEqualTo("..Zürich, Hauptbahnhof.");
        assertThat(copied(names, 3)).isEqualTo("...");
        assertThat(names.length(1)).isEqualTo(21);
        assertThat(names.isNull(0)).isFalse();
        assertThat(names.isNull(2)).isTrue();
        assertThat(names.isNull(3)).isTrue();
        assertThat(names.codes()[255]).isEqualTo(names.codes()[0]).isNotEqualTo(names.codes()[1]);
        assertThat(batch.value(1, 255)).isEqualTo("ORCL");
    }

    @Test
    void shouldSayWhenThereIsNoRoomForAnotherText()
    {
        assertThat(names.set(0, "a") && names.set(1, "b") && names.set(2, "c")).isTrue();
        assertThat(names.set(3, "d")).isFalse();
        assertThat(names.set(3, "b")).isTrue();
    }

    @Test
    void shouldBeSharedByViews()
    {
        final EventType other =
            EventType.tuple("Name", new EventProperty("key", CqlType.CHAR), new EventProperty("none", CqlType.CHAR));
        final EventBatch view =
            EventBatch.view(batch, BatchSchema.sharing(other, dictionary), new int[]{1, -1});
        names.set(7, "ORCL");
        assertThat(view.texts(0).string(7)).isEqualTo("ORCL");
        assertThat(view.texts(1).string(7)).isNull();
    }
}
