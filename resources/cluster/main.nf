// One recipe for many files, in parts that Nextflow runs side by side, here or on a cluster:
//   nextflow run main.nf --recipe r.json --images 'data/*.tif' --out results --parts 8
params.parts = 8
params.cli = 'aprscope-cli'

process PART {
  cpus 4
  input: tuple val(part), path(recipe), path(images, stageAs: 'images/*')
  output: path "table.part${part}.csv", emit: table
          path 'results/*', emit: results, optional: true
  publishDir params.out, pattern: 'results/*', saveAs: { file(it).name }
  script:
  """
  ${params.cli} run ${recipe} images/* -o results/ --csv table.csv \
    --part ${part}/${params.parts} --threads ${task.cpus} --allow-failures
  """
}

process TABLE {
  publishDir params.out, saveAs: { file(it).name }
  input: path parts
         path results, stageAs: 'results/*'
  output: path 'table.csv'
          path 'merged/*.csv', optional: true
  script:
  """
  ${params.cli} batch merge table.part*.csv -o table.csv
  mkdir -p results merged
  find results -name '*.csv' ! -name '*.part*.csv' -exec mv -t merged {} +
  """
}

workflow {
  recipe = file(params.recipe, checkIfExists: true)
  images = files(params.images, checkIfExists: true).sort()
  PART(Channel.of(1..params.parts).map { part -> tuple(part, recipe, images) })
  TABLE(PART.out.table.collect(), PART.out.results.flatten().filter { it.name =~ /\.part\d+\.csv$/ }.collect().ifEmpty([]))
}
