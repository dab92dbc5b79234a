/** Rules of the Portuguese stemmer, for `readRules`. */

export const PLURAL = `
  ns1=m ões3=ão ães1=ão:mães ais1=al:cais,mais éis2=el eis2=el óis2=ol
  is2=il:lápis,cais,mais,crúcis,biquínis,pois,depois,dois,leis les3=l res3=r:árvores
  s2:aliás,pires,lápis,cais,mais,mas,menos,férias,fezes,pêsames,crúcis,gás,atrás,moisés,através,convés,ês,país,após,ambas,ambos,messias,depois
`;

export const ADVERB = `
  mente4:experimente
`;

export const FEMININE = `
  ona3=ão:abandona,lona,iona,cortisona,monótona,maratona,acetona,detona,carona ã2=ão:amanhã,arapuã,fã,divã
  ora3=or
  na4=no:carona,abandona,lona,iona,cortisona,monótona,maratona,acetona,detona,guiana,campana,grana,caravana,banana,paisana
  inha3=inho:rainha,linha,minha esa3=ês:mesa,obesa,princesa,turquesa,ilesa,pesa,presa
  osa3=oso:mucosa,prosa íaca3=íaco ica3=ico:dica ada2=ado:pitada ida3=ido:vida,dúvida
  ída3=ido:recaída,saída ima3=imo:vítima iva3=ivo:saliva,oliva
  eira3=eiro:beira,cadeira,frigideira,bandeira,feira,capoeira,barreira,fronteira,besteira,poeira
`;

export const AUGMENTATIVE = `
  díssimo5 abilíssimo5 íssimo3 ésimo3 érrimo4 zinho2 quinho4=c uinho4 adinho3 inho3:caminho,cominho alhão4
  uça4 aço4:antebraço aça4 adão4 idão4 ázio3:topázio arraz4 zarrão3 arrão4 arra3 zão2:coalizão
  ão3:camarão,chimarrão,canção,coração,embrião,grotão,glutão,ficção,fogão,feição,furacão,gamão,lampião,leão,macacão,nação,órfão,orgão,patrão,portão,quinhão,rincão,tração,falcão,espião,mamão,folião,cordão,aptidão,campeão,colchão,limão,leilão,melão,barão,milhão,bilhão,fusão,cristão,ilusão,capitão,estação,senão
`;

export const NOUN = `
  encialista4 alista5 agem3:coragem,chantagem,vantagem,carruagem iamento4
  amento3:firmamento,fundamento,departamento imento3
  mento6:firmamento,elemento,complemento,instrumento,departamento alizado4 atizado4 tizado4:alfabetizado
  izado5:organizado,pulverizado ativo4:pejorativo,relativo tivo4:relativo
  ivo4:passivo,possessivo,pejorativo,positivo ado2:grado
  ido3:cândido,consolido,rápido,decido,tímido,duvido,marido ador3 edor3 idor4:ouvidor dor4:ouvidor
  sor4:assessor atoria5 tor3:benfeitor,leitor,editor,pastor,produtor,promotor,consultor
  or2:motor,melhor,redor,rigor,sensor,tambor,tumor,assessor,benfeitor,pastor,terior,favor,autor abilidade5
  icionista4 cionista5 ionista5 ionar5 ional4 ência3 ância4:ambulância edouro3 queiro3=c
  adeiro4:desfiladeiro eiro3:desfiladeiro,pioneiro,mosteiro uoso3 oso3:precioso alizaç5 atizaç5 tizaç5
  izaç5:organizaç aç3:equaç,relaç iç3:eleiç ário3:voluntário,salário,aniversário,diário,lionário,armário
  atório3 rio5:voluntário,salário,aniversário,diário,compulsório,lionário,próprio,stério,armário ério6 ês4
  eza3 ez4 esco4 ante2:gigante,elefante,adiante,possante,instante,restaurante ástico4:eclesiástico
  alístico3 áutico4 êutico4
  tico3:político,eclesiástico,diagnostico,prático,doméstico,diagnóstico,idêntico,alopático,artístico,autêntico,eclético,crítico,critico
  ico4:tico,público,explico ividade5 idade4:autoridade,comunidade oria4:categoria encial5 ista4 auta5
  quice4=c ice4:cúmplice íaco3 ente4:freqüente,alimente,acrescente,permanente,oriente,aparente ense5 inal3
  ano4 ável2:afável,razoável,potável,vulnerável ível3:possível vel5:possível,vulnerável,solúvel bil3=vel
  ura4:imatura,acupuntura,costura ural4 ual3:bissexual,virtual,visual,pontual ial3
  al4:afinal,animal,estatal,bissexual,desleal,fiscal,formal,pessoal,liberal,postal,virtual,visual,pontual,sideral,sucursal
  alismo4 ivismo4 ismo3:cinismo
`;

export const VERB = `
  aríamo2 ássemo2 eríamo2 êssemo2 iríamo3 íssemo3 áramo2 árei2 aremo2 ariam2 aríei2 ássei2 assem2 ávamo2
  êramo3 eremo3 eriam3 eríei3 êssei3 essem3 íramo3 iremo3 iriam3 iríei3 íssei3 issem3 ando2 endo3 indo3
  ondo3 aram2 arão2 arde2 arei2 arem2 aria2 armo2 asse2 aste2 avam2:agravam ávei2 eram3 erão3 erde3 erei3
  êrei3 erem3 eria3 ermo3 esse3 este3:faroeste,agreste íamo3 iram3 íram3 irão2 irde2 irei3:admirei
  irem3:adquirem iria3 irmo3 isse3 iste4 iava4:ampliava amo2 iona3 ara2:arara,prepara ará2:alvará
  are2:prepare ava2:agrava emo2 era3:acelera,espera erá3 ere3:espere iam3:enfiam,ampliam,elogiam,ensaiam
  íei3 imo3:reprimo,intimo,íntimo,nimo,queimo,ximo ira3:fronteira,sátira ído3 irá3 tizar4:alfabetizar
  izar5:organizar itar5:acreditar,explicitar,estreitar ire3:adquire omo3 ai2 am2 ear4:alardear,nuclear
  ar2:azar,bazaar,patamar uei3 uía5=u ei3 guem3=g em2:alem,virgem er2:éter,pier eu3:chapeu
  ia3:estória,fatia,acia,praia,elogia,mania,lábia,aprecia,polícia,arredia,cheia,ásia ir3:freir iu3 eou5
  ou3 i3
`;

export const VOWEL = `
  bil2=vel gue2=g:gangue,jegue á3 ê3:bebê a3:ásia e3 o3:ão
`;
