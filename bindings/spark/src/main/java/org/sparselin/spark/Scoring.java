package org.sparselin.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.sparselin.Encoder;
import org.sparselin.Predictor;

/** Adds columns of what a predictor says to rows, a batch at a time. */
final class Scoring implements Iterator<Row> {
    private static final int BATCH = 1024; // rows

    /** What a score, or those of several classes, become: values of the new columns. */
    @FunctionalInterface
    interface Columns {
        /**
         * Makes the new values of a row.
         *
         * @param scores as many as the predictor has classes
         */
        Object[] of(double[] scores);
    }

    private final Iterator<Row> rows;
    private final Function<Row, Encoder.Row> features;
    private final Predictor predictor;
    private final Columns columns;
    private Iterator<Row> batch = List.<Row>of().iterator();

    Scoring(Iterator<Row> rows, Function<Row, Encoder.Row> features, Predictor predictor, Columns columns) {
        this.rows = rows;
        this.features = features;
        this.predictor = predictor;
        this.columns = columns;
    }

    @Override
    public boolean hasNext() {
        return batch.hasNext() || rows.hasNext();
    }

    @Override
    public Row next() {
        if (!batch.hasNext()) batch = score();
        return batch.next();
    }

    private Iterator<Row> score() {
        List<Row> taken = new ArrayList<>();
        List<Encoder.Row> encoded = new ArrayList<>();
        long nonzeros = 0;
        while (taken.size() < BATCH && rows.hasNext() && nonzeros < 1 << 22) {
            taken.add(rows.next());
            encoded.add(features.apply(taken.get(taken.size() - 1)));
            nonzeros += encoded.get(encoded.size() - 1).indices().length;
        }
        int[] pointers = new int[taken.size() + 1], indices = new int[Math.toIntExact(nonzeros)];
        double[] values = new double[indices.length];
        for (int r = 0; r < taken.size(); ++r) {
            Encoder.Row own = encoded.get(r);
            System.arraycopy(own.indices(), 0, indices, pointers[r], own.indices().length);
            System.arraycopy(own.values(), 0, values, pointers[r], own.indices().length);
            pointers[r + 1] = pointers[r] + own.indices().length;
        }
        double[] scores = predictor.scoresCsr(pointers, indices, values);
        double[] own = new double[predictor.classes()];
        for (int r = 0; r < taken.size(); ++r) {
            System.arraycopy(scores, r * own.length, own, 0, own.length);
            taken.set(r, with(taken.get(r), columns.of(own)));
        }
        return taken.iterator();
    }

    /** The scores of one row. */
    static double[] scores(Predictor predictor, Vector features) {
        Encoder.Row row = Features.entries(features);
        return predictor.scores(row.indices(), row.values());
    }

    private static Row with(Row row, Object[] more) {
        Object[] all = new Object[row.size() + more.length];
        for (int i = 0; i < row.size(); ++i) all[i] = row.get(i);
        System.arraycopy(more, 0, all, row.size(), more.length);
        return RowFactory.create(all);
    }
}
