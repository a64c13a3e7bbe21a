package org.sparselin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import com.esotericsoftware.kryo.util.DefaultInstantiatorStrategy;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.objenesis.strategy.StdInstantiatorStrategy;

/** Kryo writes and makes objects in ways of its own: nothing may come back that has lost what it held. */
class FieldByFieldTest {
    private static final Fixtures.Matrix MATRIX = Fixtures.Matrix.random(300, 20, 300, 1);

    /** As Spark has it: any class, made without a constructor where there is none. */
    private static Kryo kryo() {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(false);
        kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
        return kryo;
    }

    private static <T> T throughBytes(Kryo kryo, T object) {
        Output out = new Output(1 << 16, -1);
        kryo.writeClassAndObject(out, object);
        @SuppressWarnings("unchecked")
        T read = (T) kryo.readClassAndObject(new Input(out.toBytes()));
        return read;
    }

    @Test
    void whatHoldsNativeMemoryRefuses() {
        try (Model model = MATRIX.trained(new Options()); Dataset data = MATRIX.dataset(); Dataset.Builder builder = new Dataset.Builder();
                Encoder encoder = new Encoder(new Options());
                DatasetReader reader = new DatasetReader(new ByteArrayInputStream(new byte[0]))) {
            for (Object object : List.of(model, model.predictor(), data, builder, encoder, reader)) {
                String written = assertThrows(RuntimeException.class, () -> throughBytes(kryo(), object)).getMessage();
                assertTrue(written.contains("cannot be written or copied field by field"), written);
                String copied = assertThrows(RuntimeException.class, () -> kryo().copy(object)).getMessage();
                assertTrue(copied.contains("cannot be written or copied field by field"), copied);
            }
        }
    }

    @Test
    void theSerializerThatTheMessageNamesWorks() {
        Kryo kryo = kryo();
        kryo.register(Model.class, new JavaSerializer());
        kryo.register(Predictor.class, new JavaSerializer());
        try (Model model = MATRIX.trained(new Options()); Model read = throughBytes(kryo, model)) {
            assertArrayEquals(model.toBytes(), read.toBytes());
            assertArrayEquals(model.predictor().toBytes(), throughBytes(kryo, model.predictor()).toBytes());
        }
    }

    @Test
    void optionsAndRecordsSurvive() {
        Options options = new Options().set("preset", "xu-asgd").set("l2", 0.25);
        Options read = throughBytes(kryo(), options);
        for (Options.Description option : Options.all()) assertEquals(options.get(option.name()), read.get(option.name()));
        assertEquals("0.5", read.set("l2", 0.5).get("l2"));
        try (Model model = MATRIX.trained(new Options()); Dataset data = MATRIX.dataset()) {
            Fixtures.assertSameBits(model.weights(), throughBytes(kryo(), model.weights()));
            assertArrayEquals(data.row(7).values(), throughBytes(kryo(), data.row(7)).values());
            Progress.Report report = new Progress.Report(1, 2, 3, 0.5, 4);
            assertEquals(report, throughBytes(kryo(), report));
        }
    }
}
